/// Looks again and again until `condition` holds; whether it ever did. The patience is far beyond what anything takes.
public func eventually(_ condition: () -> Bool) async -> Bool {
  for _ in 0..<12_000 {
    if condition() { return true }
    try? await Task.sleep(nanoseconds: 5_000_000)
  }
  return condition()
}
