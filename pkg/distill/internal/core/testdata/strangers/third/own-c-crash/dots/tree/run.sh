./run || { s=$?; echo "stopped with $s"; exit $s; }
