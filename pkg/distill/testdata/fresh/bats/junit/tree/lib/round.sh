round() {
  echo "${1%.*}"
}
