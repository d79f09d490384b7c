"""Calls tools of `waymark mcp` with the official client of the Model Context Protocol.

Reads a JSON object from standard input with the members "command", "arguments", "environment", "mode" (how the client
negotiates the protocol's revision) and "calls", a list of pairs of a tool and its arguments. If "together" is true, all
calls are sent at the same time.

Prints a JSON object with the negotiated revision, the tools, and the result of each call: its texts and whether it is an
error, or the message and the code if the server refused the call.
"""

import asyncio
import json
import sys

from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters


async def call(client, tool, arguments):
    try:
        result = await client.call_tool(tool, arguments)
    except MCPError as error:
        return {"refused": error.error.message, "code": error.error.code}
    return {"texts": [block.text for block in result.content], "isError": result.is_error}


async def main(request):
    server = StdioServerParameters(
        command=request["command"], args=request["arguments"], env=request["environment"]
    )
    async with Client(server, mode=request["mode"]) as client:
        tools = (await client.list_tools()).tools
        calls = [call(client, tool, arguments) for tool, arguments in request["calls"]]
        if request.get("together"):
            results = await asyncio.gather(*calls)
        else:
            results = [await one for one in calls]
        return {
            "revision": client.protocol_version,
            "tools": [
                {
                    "name": tool.name,
                    "readOnly": tool.annotations.read_only_hint,
                    "destructive": tool.annotations.destructive_hint,
                }
                for tool in tools
            ],
            "results": results,
        }


print(json.dumps(asyncio.run(main(json.load(sys.stdin)))))
