import { type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { type KnownCaller } from '../../common/auth/caller.js';

/** The caller of a tool. */
export interface ToolCall {
  caller: KnownCaller;
  /** The key under which its requests are counted. */
  limitKey: string;
}

/** The result of a tool: a short text for a model, and members for a program. */
export interface ToolAnswer {
  text: string;
  structured: Record<string, unknown>;
}

/** A read-only tool. `run` throws the errors of the API. */
export interface McpTool {
  name: string;
  title: string;
  description: string;
  input: StandardSchemaWithJSON;
  run: (call: ToolCall, given: unknown) => Promise<ToolAnswer>;
}

export interface WindowGiven {
  from?: string;
  until?: string;
}
