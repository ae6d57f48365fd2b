double() { echo $(($1 * 2)); }
square() { echo $(($1 + $1)); }
