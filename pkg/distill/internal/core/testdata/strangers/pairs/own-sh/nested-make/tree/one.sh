for i in 1 2 3 4 5 6; do echo "  warning: part $i has no label, using the default"; done
