// A bakery in Kotlin.
package town.bakery

import kotlin.math.max
import kotlinx.coroutines.*

/* What people
   eat. */
data class Loaf(val name: String, val grams: Int = 500, var price: Double? = null) {
    val isHeavy: Boolean
        get() = grams > 1_000

    companion object {
        const val TAX = 0.05
    }
}

sealed class State {
    object Cold : State()
    class Hot(val degrees: Float) : State()
}

interface Oven {
    suspend fun bake(loaf: Loaf, minutes: Int): State
}

enum class Flour { RYE, WHEAT, SPELT }

@Deprecated("Use stone")
open class Gas(private val shelf: MutableList<Loaf>) : Oven {
    private lateinit var state: State

    override suspend fun bake(loaf: Loaf, minutes: Int): State {
        require(minutes > 0) { "No time for ${loaf.name}" }
        for (minute in 1..minutes) {
            if (minute % 10 == 0) println("minute $minute")
        }
        state = when (loaf.grams) {
            in 0..500 -> State.Cold
            is Int -> State.Hot(220f)
            else -> throw IllegalStateException("never")
        }
        shelf.add(loaf)
        return state
    }

    protected fun total(): Double {
        var sum = 0.0
        while (sum < 100 && shelf.isNotEmpty()) {
            sum += shelf.removeAt(0).price ?: continue
        }
        return max(sum, 0.0) * (1 + Loaf.TAX)
    }
}

fun String.loud(): String = this.uppercase() + "!"

inline fun <reified T> find(values: List<Any>): T? {
    for (value in values) {
        if (value is T) return value as T
    }
    return null
}

fun main(args: Array<String>) {
    val names = listOf("rye", "wheat").map { it.loud() }
    val text = """
        Loaves: ${names.size}
        "quoted"
    """
    val letter = 'x'
    val hex = 0xFFL
    try {
        println(text)
    } catch (error: Exception) {
        println(error.message)
    } finally {
        println(letter)
    }
}
