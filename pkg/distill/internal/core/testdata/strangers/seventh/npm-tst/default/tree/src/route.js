export function stops(route) {
  return route.split('-').length - 1
}

export function reverse(route) {
  return route.split('-').sort().join('-')
}

export function fare(zones) {
  if (zones < 1) throw new RangeError('no zone')
  return zones * 120
}
