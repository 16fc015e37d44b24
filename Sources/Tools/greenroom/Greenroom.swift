@main struct Greenroom { static func main() {} }
