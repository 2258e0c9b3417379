"""The worker process of `games.proofs.smt`: runs z3 on one formula."""

from __future__ import annotations

from games.verifiers.workers import Message, serve


def _main() -> None:
    import z3

    def answer(message: Message) -> Message:
        solver = z3.Solver()
        solver.set("timeout", max(1, int(message["seconds"] * 800)))  # answering before the time limit avoids a restart
        declared = "".join(f"(declare-const {name} {sort})" for name, sort in message["variables"].items())
        try:
            solver.from_string(f"{declared}(assert (not {message['formula']}))")
        except z3.Z3Exception as error:
            return {"unread": str(error.args[0] if error.args else error)}
        status = solver.check()
        if status == z3.unsat:
            return {"valid": True}
        if status != z3.sat:
            return {"unknown": solver.reason_unknown()}
        model = solver.model()
        return {"valid": False, "model": ", ".join(sorted(f"{d.name()} = {model[d]}" for d in model.decls()))}

    serve(answer)


if __name__ == "__main__":
    _main()
