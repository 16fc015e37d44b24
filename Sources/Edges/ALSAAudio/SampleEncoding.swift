import CALSA
import Glibc

/// How a device writes samples; those that need the least work first.
enum SampleEncoding: CaseIterable {
  case signed16
  case signed32
  /// 24 bits in the lower part of 32.
  case signed24
  /// 24 bits in three bytes.
  case packed24
  case float32
  case unsigned8

  var format: snd_pcm_format_t {
    switch self {
    case .signed16: return SND_PCM_FORMAT_S16_LE
    case .signed32: return SND_PCM_FORMAT_S32_LE
    case .signed24: return SND_PCM_FORMAT_S24_LE
    case .packed24: return SND_PCM_FORMAT_S24_3LE
    case .float32: return SND_PCM_FORMAT_FLOAT_LE
    case .unsigned8: return SND_PCM_FORMAT_U8
    }
  }

  var byteCount: Int {
    switch self {
    case .signed16: return 2
    case .signed32, .signed24, .float32: return 4
    case .packed24: return 3
    case .unsigned8: return 1
    }
  }

  /// The sample at a place, as 16 bits.
  func read(_ memory: UnsafeRawPointer, _ index: Int) -> Int16 {
    switch self {
    case .signed16: return memory.loadUnaligned(fromByteOffset: index * 2, as: Int16.self)
    case .signed32:
      return Int16(truncatingIfNeeded: memory.loadUnaligned(fromByteOffset: index * 4, as: Int32.self) >> 16)
    case .signed24:
      return Int16(truncatingIfNeeded: memory.loadUnaligned(fromByteOffset: index * 4, as: Int32.self) >> 8)
    case .packed24: return memory.loadUnaligned(fromByteOffset: index * 3 + 1, as: Int16.self)
    case .float32:
      let value = memory.loadUnaligned(fromByteOffset: index * 4, as: Float.self)
      // NaN is silence.
      return value.isNaN ? 0 : Int16(max(-32_768, min(32_767, (value * 32_768).rounded())))
    case .unsigned8: return (Int16(memory.load(fromByteOffset: index, as: UInt8.self)) - 128) << 8
    }
  }

  func write(_ sample: Int16, _ memory: UnsafeMutableRawPointer, _ index: Int) {
    switch self {
    case .signed16: memory.storeBytes(of: sample, toByteOffset: index * 2, as: Int16.self)
    case .signed32: memory.storeBytes(of: Int32(sample) << 16, toByteOffset: index * 4, as: Int32.self)
    case .signed24: memory.storeBytes(of: Int32(sample) << 8, toByteOffset: index * 4, as: Int32.self)
    case .packed24:
      memory.storeBytes(of: 0, toByteOffset: index * 3, as: UInt8.self)
      memory.storeBytes(of: sample, toByteOffset: index * 3 + 1, as: Int16.self)
    case .float32: memory.storeBytes(of: Float(sample) / 32_768, toByteOffset: index * 4, as: Float.self)
    case .unsigned8:
      memory.storeBytes(of: UInt8(truncatingIfNeeded: (sample >> 8) + 128), toByteOffset: index, as: UInt8.self)
    }
  }
}
