# shellcheck shell=sh
# act.sh LEDGER PID START COMMAND...: runs a command for the process PID that started at START. Its guard waits for the command's
# end before it undoes anything; when the process has ended, the command does not begin. Both by a lock on the ledger.
exec 9<"$1" || exit 125
flock -s 9 || exit 125
if [ "$3" != 0 ]; then
    { read -r stat <"/proc/$2/stat"; } 2>/dev/null || exit 125
    # The start time is the twentieth field after the name, which may hold blanks.
    rest=${stat##*) }
    field=1
    while [ "$field" -lt 20 ]; do
        rest=${rest#* }
        field=$((field + 1))
    done
    [ "${rest%% *}" = "$3" ] || exit 125
    # Dead, but not yet reaped.
    case ${stat##*) } in [ZX]*) exit 125 ;; esac
fi
shift 3
exec "$@"
