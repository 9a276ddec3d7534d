import Backend
import PostgresFaults

// The program is `letsswitch-server` with statements that fail, or that are mistaken, as `FaultyStatements`
// reads in the environment. A release build has no hook for it.
#if DEBUG
    FaultyStatements.install()
#endif
ServerProgram.main()
