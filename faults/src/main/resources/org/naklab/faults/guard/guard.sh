# shellcheck shell=sh
# Reads promises from standard input, one a line:
#     + ID cont PID START      + ID kill PID START      + ID delete PATH      + ID affinity PID START TID CPUS
#     - ID
# At the end of the input, which is the end of whoever writes it, keeps those that were not taken back. START is the
# process's start time: another process that got the id since is left alone. Signals from the terminal are for the lab.
trap '' INT HUP TERM

same_process() {
    [ "$2" = 0 ] && return 0
    { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
    start=$2
    # shellcheck disable=SC2086
    set -- ${stat##*) }
    shift 19
    [ "$1" = "$start" ]
}

keep() {
    verb=${1%% *}
    rest=${1#* }
    if [ "$verb" = delete ]; then
        rm -f -- "$rest"
        return
    fi
    # shellcheck disable=SC2086
    set -- $rest
    same_process "$1" "$2" || return
    case $verb in
        cont) kill -CONT "$1" ;;
        kill) kill -KILL "$1" ;;
        affinity) taskset -p -c "$4" "$3" ;;
    esac
}

last=0
while IFS= read -r line; do
    sign=${line%% *}
    line=${line#* }
    id=${line%% *}
    case $id in
        '' | *[!0-9]*) continue ;;
    esac
    if [ "$sign" = + ]; then
        action=${line#* }
        eval "promise_$id=\$action"
        last=$id
    else
        unset "promise_$id"
    fi
done

id=1
while [ "$id" -le "$last" ]; do
    eval "action=\${promise_$id-}"
    [ -n "$action" ] && keep "$action"
    id=$((id + 1))
done
exit 0
