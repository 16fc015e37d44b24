import Foundation

/// JSON that can be changed anywhere, to see what decoders make of it.
struct JSONTree {
  var root: Any

  init?(_ text: String) {
    guard let root = try? JSONSerialization.jsonObject(with: Data(text.utf8)) else { return nil }
    self.root = root
  }

  var text: String {
    guard let data = try? JSONSerialization.data(withJSONObject: root, options: [.fragmentsAllowed, .sortedKeys]) else {
      return ""
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// The paths of all members of objects, at any depth; elements of lists by their index.
  var memberPaths: [[String]] { Self.paths(of: root) }

  /// A copy in which `change` has been done to the object that holds the last of `path`.
  func changed(at path: [String], _ change: (inout [String: Any], String) -> Void) -> JSONTree {
    var copy = self
    copy.root = Self.change(root, path[...], change)
    return copy
  }

  private static func paths(of value: Any) -> [[String]] {
    if let object = value as? [String: Any] {
      return object.keys.sorted().flatMap { key in
        [[key]] + paths(of: object[key] ?? NSNull()).map { [key] + $0 }
      }
    }
    guard let list = value as? [Any] else { return [] }
    return list.indices.flatMap { index in paths(of: list[index]).map { ["\(index)"] + $0 } }
  }

  private static func change(
    _ value: Any, _ path: ArraySlice<String>, _ change: (inout [String: Any], String) -> Void
  ) -> Any {
    guard let key = path.first else { return value }
    if var object = value as? [String: Any] {
      if path.count == 1 {
        change(&object, key)
      } else {
        object[key] = Self.change(object[key] ?? NSNull(), path.dropFirst(), change)
      }
      return object
    }
    guard var list = value as? [Any], let index = Int(key), list.indices.contains(index) else { return value }
    list[index] = Self.change(list[index], path.dropFirst(), change)
    return list
  }
}
