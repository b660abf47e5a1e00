// A module whose learner says nothing of itself.
module attributes {ens.learners = [{}]} {
}
