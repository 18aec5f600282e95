import type { IconName } from '../base/components/Icon';
import type { Tone } from '../base/components/States';
import type { TextKey } from '../base/text';

interface Look {
  tone: Tone;
  icon: IconName;
  text: TextKey;
}

const look = (tone: Tone, icon: IconName, status: string): Look => ({
  tone,
  icon,
  text: `run.status.${status}` as TextKey,
});

const looks: Record<string, Look> = {
  SUCCEEDED: look('green', 'circle-check', 'SUCCEEDED'),
  FAILED: look('red', 'circle-x', 'FAILED'),
  INTERNAL_ERROR: look('red', 'triangle-alert', 'INTERNAL_ERROR'),
  TIMEOUT: look('red', 'timer', 'TIMEOUT'),
  QUOTA_EXCEEDED: look('red', 'circle-alert', 'QUOTA_EXCEEDED'),
  MEMORY_LIMIT_EXCEEDED: look('red', 'circle-alert', 'MEMORY_LIMIT_EXCEEDED'),
  LOG_SIZE_EXCEEDED: look('red', 'circle-alert', 'LOG_SIZE_EXCEEDED'),
  PAUSED: look('amber', 'circle-pause', 'PAUSED'),
  RUNNING: look('blue', 'loader-circle', 'RUNNING'),
  QUEUED: look('blue', 'circle-dashed', 'QUEUED'),
  CANCELED: look('grey', 'circle-slash', 'CANCELED'),
};

export const lookOf = (status: string): Look => looks[status] ?? look('grey', 'circle-help', status);
