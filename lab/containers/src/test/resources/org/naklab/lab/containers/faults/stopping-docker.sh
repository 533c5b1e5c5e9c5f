#!/bin/sh
# The engine's client, but one that stops at a command that arms a fault until the file "go" is there: before the engine has
# the command, or when the engine has done it.
#     NAKLAB_CLIENT   the client itself
#     NAKLAB_GATE     directory: "reached-FAULT" appears when a client has stopped
#     NAKLAB_STOP     before, after or never
case "$1 $*" in
    pause\ *) fault=pause ;;
    update\ *"--memory 67108864b"*) fault=memory ;;
    *"7 >"*) fault=disk ;;
    *"head -c"*) fault=full ;;
    *"filter add dev eth0 ingress pref 100 "*) fault=loss ;;
    *"filter add dev eth0 ingress pref 1 "*) fault=partition ;;
    *"filter add dev eth0 egress pref 30000 "*) fault=delay ;;
    *) exec "$NAKLAB_CLIENT" "$@" ;;
esac
stop() {
    echo "$$" >"$NAKLAB_GATE/reached-$fault"
    # The directory is gone when the test is.
    while [ -d "$NAKLAB_GATE" ] && [ ! -e "$NAKLAB_GATE/go" ]; do sleep 0.02; done
}
[ "$NAKLAB_STOP" != before ] || stop
"$NAKLAB_CLIENT" "$@"
code=$?
[ "$NAKLAB_STOP" != after ] || stop
exit "$code"
