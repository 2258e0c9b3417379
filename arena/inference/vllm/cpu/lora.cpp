// y += x A^T B^T * scale, where every token has its own adapter (A, B). Compiled and called by lora.py.
//
// A chunk is up to eight tokens of one adapter. One thread computes both products of a chunk, so the intermediate result
// (`rank` numbers per token) stays in that thread and threads never wait for each other. Arithmetic is in float32, 16
// numbers at a time; the compiler maps `Vector` to the processor's registers. Any rank and widths work; multiples of 16
// are fast.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

constexpr int WIDE = 16, TOKENS = 8;
constexpr int AHEAD = 4;  // blocks of B to prefetch; the hardware prefetcher stops at page boundaries
typedef float Vector __attribute__((vector_size(4 * WIDE)));
typedef uint32_t Bits __attribute__((vector_size(4 * WIDE)));
typedef uint16_t Halves __attribute__((vector_size(2 * WIDE)));

inline long padded(long n) { return (n + WIDE - 1) / WIDE * WIDE; }

struct bfloat16 {
    uint16_t bits;
};

inline Vector load(const float* from) {
    Vector out;
    memcpy(&out, from, sizeof out);
    return out;
}

inline Vector load(const bfloat16* from) {
    Halves read;
    memcpy(&read, from, sizeof read);
    return (Vector)(__builtin_convertvector(read, Bits) << 16);
}

inline void store(float* to, Vector value) { memcpy(to, &value, sizeof value); }

inline void store(bfloat16* to, Vector value) {
    Bits bits = (Bits)value;
    Halves out = __builtin_convertvector((bits + 0x7fff + ((bits >> 16) & 1)) >> 16, Halves);  // nearest, ties to even
    memcpy(to, &out, sizeof out);
}

// The first n numbers, then zeros.
template <class E> inline Vector load(const E* from, long n) {
    if (n >= WIDE) return load(from);
    E part[WIDE] = {};
    if (n > 0) memcpy(part, from, n * sizeof(E));
    return load(part);
}

template <class E> inline void store(E* to, Vector value, long n) {
    if (n >= WIDE) return store(to, value);
    E part[WIDE];
    store(part, value);
    memcpy(to, part, n * sizeof(E));
}

// Swap blocks of half the size, then blocks of a quarter within them, and so on (Eklundh 1972).
template <int step = WIDE / 2> inline void transpose(Vector (&rows)[WIDE]) {
    Bits upper, lower;
    for (uint32_t i = 0; i < WIDE; i++) {
        upper[i] = i & step ? WIDE + i - step : i;
        lower[i] = i & step ? WIDE + i : i + step;
    }
    for (int i = 0; i < WIDE; i++) {
        if (i & step) continue;
        Vector old = rows[i];
        rows[i] = __builtin_shuffle(old, rows[i + step], upper);
        rows[i + step] = __builtin_shuffle(old, rows[i + step], lower);
    }
    if constexpr (step > 1) transpose<step / 2>(rows);
}

// One adapter's part for one slice of a layer's outputs.
template <class E> struct Adapter {
    const E *a, *b;  // (rank, in), (width, rank)
    long in, rank, width;
};

// low (T, rank) = scale * x A^T. Rows of x and low are padded with zeros to a multiple of 16.
template <int T, class E> inline void down(float* low, const float* x, const Adapter<E>& adapter, float scale) {
    constexpr int R = T > 4 ? 2 : 4;  // as many sums at once as fit into registers
    const auto [a, b, in, rank, width] = adapter;
    for (long r = 0; r < rank; r += R) {
        const E* rows[R];
        for (int j = 0; j < R; j++) rows[j] = a + std::min(r + j, rank - 1) * in;
        Vector sums[WIDE] = {};  // T x R sums
        const auto add = [&](long k, auto read) {
            Vector part[R];
            for (int j = 0; j < R; j++) {
                part[j] = read(rows[j] + k);
                __builtin_prefetch(rows[j] + R * in + k);
            }
            for (int t = 0; t < T; t++)
                for (int j = 0; j < R; j++) sums[t * R + j] += load(x + t * padded(in) + k) * part[j];
        };
        long k = 0;
        for (; k + WIDE <= in; k += WIDE) add(k, [](const E* from) { return load(from); });
        if (k < in) add(k, [=](const E* from) { return load(from, in - k); });
        transpose(sums);
        for (int i = 1; i < WIDE; i++) sums[0] += sums[i];
        for (int t = 0; t < T; t++)
            for (int j = 0; j < R && r + j < rank; j++) low[t * padded(rank) + r + j] = scale * sums[0][t * R + j];
    }
}

// y (T rows of width) += low B^T
template <int T, class E> inline void up(E* const* y, const float* low, const Adapter<E>& adapter) {
    const auto [a, b, in, rank, width] = adapter;
    for (long o = 0; o < width; o += WIDE) {
        Vector sums[T] = {};
        const auto add = [&](long r, auto read) {
            Vector columns[WIDE];
            for (int i = 0; i < WIDE; i++) columns[i] = read(b + std::min(o + i, width - 1) * rank + r);
            for (int i = 0; i < WIDE; i += 2) __builtin_prefetch(b + (o + AHEAD * WIDE + i) * rank + r);
            transpose(columns);
            for (int t = 0; t < T; t++)
                for (int i = 0; i < WIDE; i++) sums[t] += columns[i] * low[t * padded(rank) + r + i];
        };
        long r = 0;
        for (; r + WIDE <= rank; r += WIDE) add(r, [](const E* from) { return load(from); });
        if (r < rank) add(r, [=](const E* from) { return load(from, rank - r); });
        const long n = width - o;
        for (int t = 0; t < T; t++) store(y[t] + o, load(y[t] + o, n) + sums[t], n);
    }
}

template <int T, class E>
void both(E* const* y, float* low, const float* x, const Adapter<E>& adapter, float scale) {
    down<T>(low, x, adapter, scale);
    up<T>(y, low, adapter);
}

// One function for each number of tokens in a chunk.
template <class E>
constexpr decltype(&both<1, E>) CHUNK[TOKENS] = {both<1, E>, both<2, E>, both<3, E>, both<4, E>,
                                                 both<5, E>, both<6, E>, both<7, E>, both<8, E>};

// All adapters' parts for one slice.
struct Slice {
    const void *a, *b;    // (slots, rank, in), (slots, b_rows, rank)
    int64_t width, b_rows;
};

struct Batch {
    const int32_t *rows;   // the tokens, grouped by adapter
    const int32_t *first;  // (chunks + 1) start of each chunk in `rows`
    const int32_t *slots;  // (chunks) the adapter slot
    int64_t chunks;
};

template <class E>
void add(E* y, int64_t y_stride, const E* x, int64_t x_stride, const Batch& batch, const Slice* slices, int64_t n_slices,
         int64_t in, int64_t rank, float scale) {
#pragma omp parallel
    {
        std::vector<float> tokens(TOKENS * padded(in)), low(TOKENS * padded(rank));
#pragma omp for schedule(dynamic)
        for (int64_t c = 0; c < batch.chunks; c++) {
            const int n = batch.first[c + 1] - batch.first[c];
            E* to[TOKENS];
            for (int t = 0; t < n; t++) {
                const long row = batch.rows[batch.first[c] + t];
                to[t] = y + row * y_stride;
                for (long k = 0; k < in; k += WIDE) store(&tokens[t * padded(in) + k], load(x + row * x_stride + k, in - k));
            }
            for (const Slice* s = slices; s < slices + n_slices; s++) {
                const long slot = batch.slots[c];
                const Adapter<E> adapter = {(const E*)s->a + slot * rank * in, (const E*)s->b + slot * s->b_rows * rank,
                                            in, rank, s->width};
                CHUNK<E>[n - 1](to, low.data(), tokens.data(), adapter, scale);
                for (int t = 0; t < n; t++) to[t] += s->width;
            }
        }
    }
}

}  // namespace

#define EXPORT(name, E)                                                                                                 \
    extern "C" void name(void* y, int64_t y_stride, const void* x, int64_t x_stride, const Batch* batch,                \
                         const Slice* slices, int64_t n_slices, int64_t in, int64_t rank, float scale) {                \
        add((E*)y, y_stride, (const E*)x, x_stride, *batch, slices, n_slices, in, rank, scale);                         \
    }

EXPORT(add_bfloat16, bfloat16)
EXPORT(add_float32, float)
