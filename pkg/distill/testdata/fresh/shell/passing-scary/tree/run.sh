echo "ERROR: FAIL panic: Exception in thread main"; echo "Traceback (most recent call last):"; exit 0
