fun total(items: List<Int>): String {
    return items.sum()
}

fun main() {
    println(totl(listOf(1)))
}
