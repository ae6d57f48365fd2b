fun total(p: List<Int>): Int = p.size

fun label(s: String?): String = s!!.trim()
