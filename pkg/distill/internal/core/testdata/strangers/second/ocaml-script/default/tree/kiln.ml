let heat m = m * 9;;
