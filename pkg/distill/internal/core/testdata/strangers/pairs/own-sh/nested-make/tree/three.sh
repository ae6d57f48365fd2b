echo "  error log is empty"
