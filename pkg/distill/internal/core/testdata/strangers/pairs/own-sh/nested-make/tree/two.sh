echo "  1 of 2 seams hold"; echo "  seam B came apart at 40 N"; exit 1
