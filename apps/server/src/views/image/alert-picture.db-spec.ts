import { MetricApp } from '../../../../../test/support/metric-app.js';
import { START } from '../../../../../test/support/hand-clock.js';
import { AlertPicturesService } from '../../alerting/channel/alert-pictures.service.js';
import { ImageModule } from './image.module.js';
import { anAnomaly, singleFacts } from '../../../../../test/support/alert-contents.js';
import { composeIncident } from '#libs/alerting';

const PNG_BEGIN = Buffer.from('89504e470d0a1a0a', 'hex');
/** Width and height from the header of a PNG. */
const sizeOf = (png: Buffer): number[] => [png.readUInt32BE(16), png.readUInt32BE(20)];

let app: MetricApp;
beforeAll(async () => {
  app = await MetricApp.create({ env: { PLUMBLINE_ROLES: 'api,ingest' } }, [ImageModule]);
});
afterAll(() => app.close());

it('an alert picture is drawn at the requested scale, and not for another organisation', async () => {
  const { id: orgId } = await app.anOrg();
  const metricId = await app.aMetric(orgId, 'web-1.cpu');
  const anomalyId = await app.anAnomaly(orgId, metricId, START - 7200, START - 3600);
  const contentFor = (id: number) =>
    composeIncident(
      singleFacts({
        org: { id, name: 'Example' },
        anomalies: [anAnomaly({ metricId, anomalyId, start: START - 7200 })],
      }),
    );
  const pictures = app.get(AlertPicturesService);
  const size = { width: 440, height: 190, scale: 2 };
  // The first picture may take long on a busy machine.
  const png = await pictures.find(contentFor(orgId), size, 25_000);
  expect(png?.subarray(0, 8)).toEqual(PNG_BEGIN);
  expect(sizeOf(png!)).toEqual([880, 380]);
  const { id: other } = await app.anOrg();
  expect(await pictures.find(contentFor(other), size, 25_000)).toBeNull();
});
