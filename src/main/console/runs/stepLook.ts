import type { IconName } from '../base/components/Icon';
import type { Tone } from '../base/components/States';
import type { TextKey } from '../base/text';
import type { Standing } from './steps';

interface Look {
  tone: Tone;
  icon: IconName;
  text: TextKey;
}

const looks: Record<Standing, Look> = {
  SUCCEEDED: { tone: 'green', icon: 'circle-check', text: 'run.step.status.SUCCEEDED' },
  FAILED: { tone: 'red', icon: 'circle-x', text: 'run.step.status.FAILED' },
  RUNNING: { tone: 'blue', icon: 'loader-circle', text: 'run.step.status.RUNNING' },
  PAUSED: { tone: 'amber', icon: 'circle-pause', text: 'run.step.status.PAUSED' },
  STOPPED: { tone: 'grey', icon: 'circle-check', text: 'run.step.status.STOPPED' },
};

export const stepLook = (standing: Standing): Look => looks[standing];
