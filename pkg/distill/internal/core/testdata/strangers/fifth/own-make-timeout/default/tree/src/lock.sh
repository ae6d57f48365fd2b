fill() { level=0; while [ $level -ne $1 ]; do level=$((level + 2)); done; echo $level; }
fee() { if [ $1 -gt 12 ]; then echo 40; else echo 20; fi; }
