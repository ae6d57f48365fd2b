package shop

// price

// price

// price

// price

// price

// price

// price

// price

// price
