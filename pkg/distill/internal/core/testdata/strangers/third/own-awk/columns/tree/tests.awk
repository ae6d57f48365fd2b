# each line: name;cents;n;want
function total(cents, n) { return cents }
BEGIN { FS = ";"; printf "%-22s %-8s %s\n", "case", "result", "remark" }
{
  got = total($2, $3)
  ok = got == $4
  printf "%-22s %-8s %s\n", $1, ok ? "+" : "-", ok ? "" : FILENAME ":" FNR ": " got " instead of " $4
  if (!ok) bad++
}
END { printf "\n%d/%d right\n", NR - bad, NR; exit bad > 0 }
