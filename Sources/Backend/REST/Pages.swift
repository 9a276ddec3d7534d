import HTTPServer

enum Pages { static func add(to router: inout Router) {} }
