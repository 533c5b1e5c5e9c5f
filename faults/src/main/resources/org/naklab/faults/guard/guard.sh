# shellcheck shell=sh
# guard.sh LEDGER TRIES [PID START]: waits for the end of standard input, which is the end of whoever writes it, or with a PID for the
# end of that process, and then keeps the promises in the ledger that are open, the last first:
#     + ID cont PID START              + ID kill PID START      + ID affinity PID START TID CPUS
#     + ID delete PATH                 + ID run 'WHAT' 'WORD'... + ID first 'WHAT' 'WORD'...
#     @ ID TIME: to be kept then, whatever the process does that made it      & PID START: the guard that waits for a PID
#     - ID                             ! WHAT: why it could not be undone      = ID TIME: this guard has kept it at its time
# TIME is the time since boot in hundredths of a second. A line on standard input says that the ledger has another time.
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
    second=
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
            @) eval "due_$id=\${line#* }" ;;
            '&') second=$line ;;
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

read_now() {
    read -r now _ </proc/uptime
    now=${now%.*}${now#*.}
}

# Sorts the open promises that have a time: those that are due, and the time of the next.
find_due() {
    read_promises
    read_now
    due=
    next=
    id=$last
    while [ "$id" -ge 1 ]; do
        eval "action=\${promise_$id-} time=\${due_$id-}"
        if [ -n "$action" ] && [ -n "$time" ]; then
            if [ "$time" -le "$now" ]; then
                due="$due $id"
            elif [ -z "$next" ] || [ "$time" -lt "$next" ]; then
                next=$time
            fi
        fi
        id=$((id - 1))
    done
}

# After commands that are under way. What cannot be kept is tried again a second later.
keep_due() {
    exec 9<"$ledger" && flock -w 60 9
    find_due
    failed=
    for id in $due; do
        eval "action=\${promise_$id-}"
        if said=$(keep "$action"); then
            printf '= %s %s\n- %s\n' "$id" "$now" "$id" >>"$ledger"
        else
            failed=yes
        fi
    done
    exec 9<&-
}

# Keeps what is promised with a time, whether or not the process that promised it still runs, is stopped or hangs. It goes on when the
# guard itself is killed.
keep_time() {
    trap 'kill "$nap" 2>/dev/null; exit 0' TERM
    nap=
    failed=
    while [ -f "$ledger" ]; do
        find_due
        if [ -n "$due" ] && [ -z "$failed" ]; then
            keep_due
            continue
        fi
        [ -n "$next$due" ] || break
        rest=100
        [ -n "$failed" ] || rest=$((next - now + 1))
        # Looks now and then whether there is anything left to do.
        [ "$rest" -le 200 ] || rest=200
        failed=
        sleep "$((rest / 100)).$(printf %02d $((rest % 100)))" &
        nap=$!
        wait "$nap"
    done
    exit 0
}

end_timer() {
    [ -z "$timer" ] || kill "$timer" 2>/dev/null
    timer=
}

start_timer() {
    end_timer
    [ -f "$ledger" ] || return 0
    keep_time 9<&- &
    timer=$!
}

# A guard that the end of its control group does not reach, where it may leave it.
leave_group() {
    for group in /sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/*/cgroup.procs; do
        { echo $$ >"$group"; } 2>/dev/null
    done
}

# The other guard has nothing to wait for any more.
end_second() {
    # shellcheck disable=SC2086
    [ -z "$second" ] || [ "${second%% *}" = $$ ] || ! same_process $second || kill "${second%% *}" 2>/dev/null
}

boot=-
{ read -r boot </proc/sys/kernel/random/boot_id; } 2>/dev/null
same_boot=no
timer=
if [ -n "${3-}" ]; then
    trap 'kill "$waiting" 2>/dev/null; exit 0' TERM
    leave_group
    { read -r stat <"/proc/$$/stat"; } 2>/dev/null && {
        # shellcheck disable=SC2086
        set -- "$1" "$2" "$3" "$4" ${stat##*) }
        echo "& $$ ${24}" >>"$ledger"
    }
    tail --pid="$3" -s 1 -f /dev/null &
    waiting=$!
    wait "$waiting"
    trap '' TERM
else
    start_timer
    while IFS= read -r _; do start_timer; done
    end_timer
fi

[ -f "$ledger" ] || exit 0
exec 9<"$ledger"

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
end_second
[ "$left" -eq 0 ] || exit 1
rm -f -- "$ledger"
case ${ledger%/*} in */naklab-promises-*) rmdir -- "${ledger%/*}" ;; esac
exit 0
