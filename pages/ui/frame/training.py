"""The networks that learn live, for the browser: what is new (GET) and the reader's commands (POST), by a run's key."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from pages.ui.backend.live_runs import get_live_runs
from pages.ui.frame.json_body import NO_STORE, read_json_body

MAX_BODY = 4096  # bytes of a command


async def serve_run(request: Request) -> Response:
    """Answer `?version=&counts=`, the browser's snapshots of each network, with those that it lacks; or take a command.

    404 if there is no such run, 400 for a command that is none.
    """
    runs, key = get_live_runs(), request.path_params["key"]
    if request.method == "POST":
        if runs.find(key) is None:
            return Response(status_code=404)
        command = await read_json_body(request, MAX_BODY) or {}
        return Response(status_code=204 if runs.execute_command(key, command) else 400)
    try:
        version = int(request.query_params.get("version", "-1"))
        counts = [int(count) for count in request.query_params.get("counts", "").split(",") if count]
    except ValueError:
        return Response(status_code=400)
    news = runs.poll(key, version, counts)
    return Response(status_code=404) if news is None else JSONResponse(news, headers=NO_STORE)
