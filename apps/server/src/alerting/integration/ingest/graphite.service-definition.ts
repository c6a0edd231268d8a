import { defineService } from '../define-service.js';
import { TOKEN_PLACEHOLDER } from '../service-definition.types.js';

export const GRAPHITE = defineService({
  id: 'graphite',
  name: 'Graphite',
  provider: 'Graphite',
  category: 'ingest',
  description: 'Takes plain lines with name, value and time over TCP.',
  orgFields: {},
  userFields: {},
  guide: ({ graphiteAddress }) => {
    if (graphiteAddress === null) {
      const instructions =
        'The Graphite port of this installation is closed: its operator opens it with `PLUMBLINE_GRAPHITE_ADDRESS`.';
      return { instructions, snippets: [] };
    }
    const colon = graphiteAddress.lastIndexOf(':');
    const [host, port] = [graphiteAddress.slice(0, colon), graphiteAddress.slice(colon + 1)];
    return {
      instructions:
        'The first part of each name is the token, and is cut off. The protocol is not encrypted and has no answers; what was refused is in the events.',
      snippets: [
        {
          title: 'One line',
          language: 'bash',
          code: `echo "${TOKEN_PLACEHOLDER}.web-1.cpu.idle 93 $(date +%s)" | nc -q 1 ${host} ${port}`,
        },
        {
          title: 'collectd.conf',
          language: 'apacheconf',
          code: [
            'LoadPlugin write_graphite',
            '<Plugin write_graphite>',
            '  <Node "plumbline">',
            `    Host "${host}"`,
            `    Port "${port}"`,
            '    Protocol "tcp"',
            `    Prefix "${TOKEN_PLACEHOLDER}."`,
            '    StoreRates true',
            '  </Node>',
            '</Plugin>',
          ].join('\n'),
        },
      ],
    };
  },
});
