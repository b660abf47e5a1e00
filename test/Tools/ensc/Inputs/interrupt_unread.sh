# Interrupts a command whose output nobody reads any more, once its log of
# events says that it has started, and prints its exit code.
#
#   interrupt_unread.sh EVENTS COMMAND...

events=$1
shift
exec 3>&1
{
  "$@" &
  until grep -qs '"started"' "$events" || ! kill -0 $!; do
    sleep 0.01
  done
  kill -INT $!
  wait $!
  echo "exit code $?" >&3
} 2>&1 | true
