raise ModuleNotFoundError("No module named 'jax'", name="jax")
