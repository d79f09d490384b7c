"""Calls tools of `waymark mcp` with the official client of the Model Context Protocol.

Reads a JSON object from standard input: "command", "arguments", "environment", "mode" (of the client's negotiation) and
"calls", pairs of a tool and its arguments. Prints the agreed revision, the tools, and the result of each call: its texts,
and true if it is an error; of a call that the server refuses, the message. "together" calls all at once.
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
