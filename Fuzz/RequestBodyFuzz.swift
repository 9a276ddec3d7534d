import Contract

/// Reads the bodies that a client may send.
///
/// Oracle: a body is accepted, or rejected with validation errors, at least one and no more than the limit;
/// an accepted one survives being written by a client and read.
enum RequestBodyFuzz {
    static func test(_ input: [UInt8]) {
        read(NewUser.self, input)
        read(UserPatch.self, input)
        read(NewRegistration.self, input)
        read(RegistrationPatch.self, input)
        read(NewBlock.self, input)
        read(NewFavourite.self, input)
        read(NewToken.self, input)
        read(Recovery.self, input)
        read(FirstSignIn.self, input)
        read(NewRoutine.self, input)
        read(RoutinePatch.self, input)
        read(NewSkip.self, input)
    }

    private static func read<Body: RequestBody>(_ type: Body.Type, _ input: [UInt8]) {
        do throws(RequestError) {
            let body = try Body(bytes: input)
            guard let written = try? JSON.encode(body) else { fatalError("what was read cannot be written") }
            expect((try? Body(bytes: written)) == body, "a body changed in writing")
        } catch {
            expect(!error.detail.isEmpty, "an error says nothing")
            switch error {
            case .unreadable(let fault):
                expect(fault.offset <= input.count, "a fault lies outside of the body")
            case .invalid(let faults):
                expect((1...Limits.fieldErrors).contains(faults.count), "there are \(faults.count) faults")
            }
        }
    }
}
