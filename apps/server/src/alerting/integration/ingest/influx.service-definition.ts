import { defineService } from '../define-service.js';
import { TOKEN_PLACEHOLDER } from '../service-definition.types.js';

export const INFLUX = defineService({
  id: 'influx',
  name: 'Telegraf',
  provider: 'InfluxData',
  category: 'ingest',
  description: 'Takes the line protocol of InfluxDB, as Telegraf and Vector send it.',
  orgFields: {},
  userFields: {},
  guide: ({ ingestUrl }) => ({
    instructions:
      'Add this output to `telegraf.conf`. Organisation and bucket are not used: the token determines the organisation.',
    snippets: [
      {
        title: 'telegraf.conf',
        language: 'toml',
        code: [
          '[[outputs.influxdb_v2]]',
          `  urls = ["${ingestUrl}"]`,
          `  token = "${TOKEN_PLACEHOLDER}"`,
          '  organization = "any"',
          '  bucket = "any"',
        ].join('\n'),
      },
      {
        title: 'curl',
        language: 'bash',
        code: [
          `curl -i '${ingestUrl}/ingest/influx?precision=s' -H 'X-Auth-Token: ${TOKEN_PLACEHOLDER}' \\`,
          '     --data-binary "shop_latency,host=web-1 value=12.5 $(date +%s)"',
        ].join('\n'),
      },
    ],
  }),
});
