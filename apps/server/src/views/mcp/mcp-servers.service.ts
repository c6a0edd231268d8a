import {
  type CallToolResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '../../common/errors/app-error.js';
import { currentRequest } from '../../common/http/request-context.js';
import { productVersion } from '../../common/product-version.js';
import { AnomalyToolsService } from './anomaly-tools.service.js';
import { IncidentToolsService } from './incident-tools.service.js';
import { type McpTool, type ToolCall } from './mcp-tool.types.js';
import { MetricToolsService } from './metric-tools.service.js';
import { type PictureResource, PictureResourcesService } from './picture-resources.service.js';

const INSTRUCTIONS =
  'Plumbline watches time-series metrics and finds what is unusual in them. Begin with list_incidents or list_anomalies, ' +
  'then explain one of them; read_series shows values beside their expected range. These tools change nothing. Times ' +
  'are in the time zone of the organisation.';
/** Maximum number of members and items in the arguments of one call; filters and states have a few. */
const MAX_INPUT_ELEMENTS = 100;

/** Creates the server of one request: the tools and pictures, for its caller. */
@Injectable()
export class McpServersService {
  private readonly logger = new Logger('MCP');

  constructor(
    private readonly anomalies: AnomalyToolsService,
    private readonly incidents: IncidentToolsService,
    private readonly metrics: MetricToolsService,
    private readonly pictures: PictureResourcesService,
  ) {}

  create(call: ToolCall): McpServer {
    const server = new McpServer(
      { name: 'plumbline', title: 'Plumbline', version: productVersion() },
      { instructions: INSTRUCTIONS, maxToolInputElements: MAX_INPUT_ELEMENTS },
    );
    for (const { tools } of [this.anomalies, this.incidents, this.metrics]) {
      for (const tool of tools) this.addTool(server, tool, call);
    }
    for (const picture of this.pictures.resources) this.addPicture(server, picture, call);
    return server;
  }

  private addTool(server: McpServer, { name, title, description, input, run }: McpTool, call: ToolCall): void {
    const annotations = {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    };
    server.registerTool(name, { title, description, inputSchema: input, annotations }, async (given) => {
      try {
        const { text, structured } = await run(call, given);
        return { content: [{ type: 'text', text }], structuredContent: structured };
      } catch (error) {
        return this.refusal(error);
      }
    });
  }

  private addPicture(server: McpServer, picture: PictureResource, call: ToolCall): void {
    const { name, title, description, uriTemplate, draw } = picture;
    // There are as many as anomalies and metrics: clients find them with the tools, not in a list.
    const template = new ResourceTemplate(uriTemplate, { list: undefined });
    server.registerResource(name, template, { title, description, mimeType: 'image/png' }, async (uri, variables) => {
      const variable = Object.values(variables).flat()[0] ?? '';
      try {
        const png = await draw(call, variable);
        return { contents: [{ uri: uri.href, mimeType: 'image/png', blob: png.toString('base64') }] };
      } catch (error) {
        const { code, message } = this.faultOf(error);
        if (code === 'not_found') throw new ResourceNotFoundError(uri.href, message);
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
      }
    });
  }

  /** The error for the model, which can correct its request. */
  private refusal(error: unknown): CallToolResult {
    const fault = this.faultOf(error);
    const details = fault.details.map(({ message }) => `\n- ${message}`).join('');
    return {
      isError: true,
      content: [{ type: 'text', text: fault.message + details }],
      structuredContent: { error: { ...fault, details: [...fault.details] } },
    };
  }

  private faultOf(error: unknown): Pick<AppError, 'code' | 'message' | 'details'> {
    if (error instanceof AppError) return { code: error.code, message: error.message, details: error.details };
    const requestId = currentRequest.getStore()?.requestId ?? '';
    this.logger.error(`unexpected error in request ${requestId}`, error instanceof Error ? error.stack : String(error));
    return { code: 'internal_error', message: `Internal error. Request id: ${requestId}`, details: [] };
  }
}
