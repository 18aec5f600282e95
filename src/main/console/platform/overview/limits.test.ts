import { equal, test } from '../../base/testing';
import { bytes, limitsOf, share } from './limits';

test('a size is formatted in the largest suitable unit', () => {
  equal([0, 900, 1024, 1536, 1048576, 50 * 1024 * 1024, 3.5 * 1024 ** 3].map(bytes), [
    '0 B',
    '900 B',
    '1 KB',
    '1.5 KB',
    '1 MB',
    '50 MB',
    '3.5 GB',
  ]);
});

test('limits are formatted in their units, and only those that the server reports', () => {
  equal(
    limitsOf({
      CURRENT_VERSION: '1.0.0',
      FLOW_RUN_TIME_SECONDS: 600,
      WEBHOOK_TIMEOUT_SECONDS: 30,
      PAUSED_FLOW_TIMEOUT_DAYS: 1,
      MAX_FILE_SIZE_MB: 25,
      EDITION: 'ce',
    }),
    [
      ['limits.version', '1.0.0'],
      ['limits.flow', '10 min'],
      ['limits.webhook', '30 s'],
      ['limits.file', '25 MB'],
      ['limits.paused', '1 day'],
    ],
  );
});

test('a share is a percentage up to 100, and unknown if a part is unknown', () => {
  equal([share(1, 4), share(5, 4), share(undefined, 4), share(1, 0)], [25, 100, undefined, undefined]);
});
