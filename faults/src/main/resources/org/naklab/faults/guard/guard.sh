# shellcheck shell=sh
# guard.sh LEDGER TRIES: waits for the end of standard input, which is the end of whoever writes it, and then keeps the promises
# in the ledger that are open, the last first:
#     + ID cont PID START              + ID kill PID START      + ID affinity PID START TID CPUS
#     + ID delete PATH                 + ID run 'WHAT' 'WORD'... + ID first 'WHAT' 'WORD'...
#     - ID                             ! WHAT: why it could not be undone
# START is the process's start time: another process that got the id since is left alone. Prints what was undone and what could
# not be; deletes the ledger when nothing is left. Signals from the terminal are for the lab.
trap '' INT HUP TERM
ledger=$1
tries=$2

same_process() {
    [ "$same_boot" = yes ] || return 1
    [ "$2" = 0 ] && return 0
    { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
    start=$2
    # shellcheck disable=SC2086
    set -- ${stat##*) }
    shift 19
    [ "$1" = "$start" ]
}

# In a shell of its own: words that cannot be read must not end this one. It must not hold the lock.
run() {
    (
        exec 9<&-
        eval "set -- $1" || exit 1
        shift
        exec timeout -s KILL 60 "$@" </dev/null 2>&1
    )
}

# What it says last is why it could not.
keep() {
    verb=${1%% *}
    rest=${1#* }
    case $verb in
        delete) rm -rf -- "$rest" 2>&1 && return ;;
        run | first) run "$rest" && return ;;
        *)
            # shellcheck disable=SC2086
            set -- $rest
            same_process "$1" "$2" || return 0
            case $verb in
                cont) kill -CONT "$1" 2>&1 && return ;;
                kill) kill -KILL "$1" 2>&1 && return ;;
                affinity) [ ! -e "/proc/$1/task/$3" ] || taskset -p -c "$4" "$3" 2>&1 && return ;;
            esac
            ;;
    esac
    return 1
}

named() {
    case $1 in
        run\ * | first\ *) (eval "set -- ${1#* }" && printf '%s' "$1") ;;
        *) printf '%s' "$1" ;;
    esac
}

read_promises() {
    last=0
    while IFS= read -r line; do
        sign=${line%% *}
        line=${line#* }
        id=${line%% *}
        case $sign in
            naklab-promises) [ "${line%%:*}" = "$boot" ] && same_boot=yes ;;
            +)
                action=${line#* }
                eval "promise_$id=\$action"
                last=$id
                ;;
            -) unset "promise_$id" ;;
        esac
    done <"$ledger"
}

# Those that are to be kept before all others stay open: nothing may have come since.
keep_first() {
    id=$last
    while [ "$id" -ge 1 ]; do
        eval "action=\${promise_$id-}"
        case $action in first\ *) keep "$action" >/dev/null ;; esac
        id=$((id - 1))
    done
}

# Nobody may be there to hear it.
tell() {
    echo "$1"
    echo "! $1" >>"$ledger"
}

# keep_all TRY: strikes out what is undone, counts what is left, and says at the last try why.
keep_all() {
    left=0
    id=$last
    while [ "$id" -ge 1 ]; do
        eval "action=\${promise_$id-}"
        if [ -n "$action" ]; then
            if said=$(keep "$action"); then
                echo "- $id" >>"$ledger"
                unset "promise_$id"
                echo "undone $(named "$action")"
            else
                left=$((left + 1))
                [ "$1" -lt "$tries" ] || tell "$(named "$action"): $(printf '%s\n' "$said" | tail -n 1)"
            fi
        fi
        id=$((id - 1))
    done
}

while IFS= read -r _; do :; done

[ -f "$ledger" ] || exit 0
exec 9<"$ledger"
boot=-
{ read -r boot </proc/sys/kernel/random/boot_id; } 2>/dev/null
same_boot=no

# Once before the lock: it ends what holds it.
read_promises
keep_first
# Held by commands that are under way, and by another guard.
flock -w 60 9
[ -f "$ledger" ] || exit 0
read_promises
keep_first
try=1
keep_all "$try"
while [ "$left" -gt 0 ] && [ "$try" -lt "$tries" ]; do
    sleep 1
    try=$((try + 1))
    keep_all "$try"
done
[ "$left" -eq 0 ] || exit 1
rm -f -- "$ledger"
case ${ledger%/*} in */naklab-promises-*) rmdir -- "${ledger%/*}" ;; esac
exit 0
