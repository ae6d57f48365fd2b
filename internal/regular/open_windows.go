package regular

// nonBlocking is nothing here: pipes have no place among files.
const nonBlocking = 0

func refused(_ string, err error) error { return err }
