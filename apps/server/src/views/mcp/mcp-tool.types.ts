import { type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { type KnownCaller } from '../../common/auth/caller.js';

/** For whom a tool works. */
export interface ToolCall {
  caller: KnownCaller;
  /** Under which key its requests are counted. */
  limitKey: string;
}

/** The result of a tool: in few words for a model, and as members for a program. */
export interface ToolAnswer {
  text: string;
  structured: Record<string, unknown>;
}

/** A tool that changes nothing. `run` throws the errors of the API. */
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
