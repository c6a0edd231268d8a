import { fromJsonSchema } from '@modelcontextprotocol/server';
import { type McpTool, type ToolAnswer, type ToolCall } from './mcp-tool.types.js';

type JsonSchema = Parameters<typeof fromJsonSchema>[0];

interface ToolDefinition<Given> extends Pick<McpTool, 'name' | 'title' | 'description'> {
  properties: Readonly<Record<string, JsonSchema>>;
  required?: readonly (keyof Given & string)[];
  run: (call: ToolCall, given: Given) => Promise<ToolAnswer>;
}

/** `Given` is the type that `properties` describe: the SDK validates a call against them before the tool runs. */
export function defineTool<Given extends object>(definition: ToolDefinition<Given>): McpTool {
  const { name, title, description, properties, required = [], run } = definition;
  const schema = { type: 'object', properties, required: [...required], additionalProperties: false };
  return {
    ...{ name, title, description },
    input: fromJsonSchema(schema as JsonSchema),
    run: (call, given) => run(call, given as Given),
  };
}
