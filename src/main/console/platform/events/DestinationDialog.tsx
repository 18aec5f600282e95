import { useState } from 'preact/hooks';
import type { EventAction } from '#api';
import { api } from '../../base/api/client';
import { settle, type Failure } from '../../base/api/failure';
import { reliably } from '../../base/api/reliably';
import { FormDialog } from '../../base/components/Dialog';
import { Checkbox, TextField } from '../../base/components/Field';
import { t } from '../../base/text';
import { eventGroups, worded, type Destination } from './model';

interface Props {
  destination?: Destination;
  close: () => void;
  changed: () => void;
  /** Called with the secret of a new destination, which is shown once. */
  made: (secret: string) => void;
}

export function DestinationDialog({ destination, close, changed, made }: Props) {
  const [url, setUrl] = useState(destination?.url ?? '');
  const [events, setEvents] = useState<EventAction[]>(destination?.events ?? ['flow.run.finished']);
  const perform = async (): Promise<Failure | undefined> => {
    const body = { url: url.trim(), events };
    const saved = destination
      ? await api('POST /v1/event-destinations/{id}', { path: { id: destination.id }, body })
      : await reliably('POST /v1/event-destinations', { body });
    return settle(saved, (value) => {
      changed();
      if ('secret' in value) {
        made(value.secret as string);
      }
    });
  };
  return (
    <FormDialog
      title={t(destination ? 'events.change' : 'events.new')}
      submit={t(destination ? 'base.save' : 'base.create')}
      onClose={close}
      perform={perform}
      disabled={url.trim() === '' || events.length === 0}>
      {(problems) => (
        <>
          <TextField
            label={t('events.url')}
            help={t('events.urlHelp')}
            value={url}
            onValue={setUrl}
            problem={problems['url']}
            control={{ name: 'url', type: 'url', placeholder: 'https://' }}
          />
          <div class="ticks many" tabIndex={0} role="group" aria-label={t('events.events')}>
            {eventGroups().map((group) => (
              <Group key={group.subject} group={group} chosen={events} choose={setEvents} />
            ))}
          </div>
        </>
      )}
    </FormDialog>
  );
}

function Group({
  group,
  chosen,
  choose,
}: {
  group: { subject: string; actions: EventAction[] };
  chosen: EventAction[];
  choose: (events: EventAction[]) => void;
}) {
  return (
    <fieldset class="ticks">
      <legend>{group.subject}</legend>
      {group.actions.map((action) => (
        <Checkbox
          key={action}
          label={worded(action)}
          checked={chosen.includes(action)}
          onChange={(on) => choose(on ? [...chosen, action] : chosen.filter((each) => each !== action))}
        />
      ))}
    </fieldset>
  );
}
