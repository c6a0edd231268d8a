import { type MailContent } from '../../platform/mail/mail.types.js';

/** Contains no text of the one who started the benchmark: any visitor can have this mail sent to any address. */
export function benchmarkMail(
  hasFailed: boolean,
  { pageUrl, chartUrl }: { pageUrl: string; chartUrl: string },
): { subject: string; content: MailContent } {
  return {
    subject: hasFailed ? 'Your benchmark has failed' : 'Your benchmark is done',
    content: {
      heading: hasFailed ? 'The benchmark has failed' : 'The benchmark is done',
      paragraphs: [
        hasFailed
          ? 'The models could not be run over the series; the link says why.'
          : 'The models have been run over the series. The link shows what they found.',
        'The results are kept for seven days.',
      ],
      button: { label: hasFailed ? 'See why' : 'Compare the models', url: pageUrl },
      facts: hasFailed ? [] : [['Chart', chartUrl]],
      notes: ['If it was not you who asked for this mail, ignore it: this address has been forgotten.'],
    },
  };
}
