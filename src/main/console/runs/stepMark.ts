import type { Mark } from '../builder/canvas/StepCard';
import { t } from '../base/text';
import { duration } from '../base/time';
import { stepLook } from './stepLook';
import { loopStanding, type StepRecord } from './steps';
import { lengthOf } from './timing';

/** Mark of a step with a record on the canvas; undefined for a step that was not reached. */
export function stepMark(record: StepRecord | undefined, liveMs: (record: StepRecord) => number): Mark | undefined {
  if (!record) {
    return undefined;
  }
  const look = stepLook(loopStanding(record));
  return {
    tone: look.tone,
    icon: look.icon,
    spin: record.status === 'RUNNING',
    text: t(look.text),
    ...(record.status === 'PAUSED' ? {} : { note: duration(lengthOf(record, liveMs)) }),
    edge: true,
  };
}
