import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { settle, type Failure } from '../base/api/failure';
import { reliably } from '../base/api/reliably';
import { FormDialog } from '../base/components/Dialog';
import { NameField, TextField } from '../base/components/Field';
import { t } from '../base/text';
import { AgentSign } from './AgentSign';
import { COLOR_NAMES, ICON_NAMES, type Agent, type AgentColor, type AgentIcon } from './model';

interface Props {
  projectId: string;
  /** Agent to rename; absent for a new one. */
  agent?: Agent;
  close: () => void;
  made: (id: string, agent: Agent) => void;
}

export function AgentDialog({ projectId, agent, close, made }: Props) {
  const [displayName, setDisplayName] = useState(agent?.displayName ?? '');
  const [description, setDescription] = useState(agent?.description ?? '');
  const [icon, setIcon] = useState<AgentIcon>(agent?.icon ?? 'bot');
  const [color, setColor] = useState<AgentColor>(agent?.color ?? 'BLUE');
  const perform = async (): Promise<Failure | undefined> => {
    const look = { displayName: displayName.trim(), description: description.trim() || null, icon, color };
    const saved = agent
      ? await api('POST /v1/agents/{id}', { path: { id: agent.id }, body: look })
      : await reliably('POST /v1/agents', { body: { projectId, ...look, draft: { instructions: '' } } });
    return settle(saved, (value) => made(value.id, value));
  };
  return (
    <FormDialog
      title={t(agent ? 'agents.name' : 'agents.new')}
      submit={t(agent ? 'base.save' : 'base.create')}
      onClose={close}
      perform={perform}
      disabled={displayName.trim() === ''}>
      {(problems) => (
        <>
          <NameField value={displayName} onValue={setDisplayName} problems={problems} />
          <TextField
            label={t('agents.description')}
            optional
            value={description}
            onValue={setDescription}
            problem={problems['description']}
            control={{ name: 'description' }}
          />
          <fieldset class="ticks">
            <legend>{t('agents.sign')}</legend>
            <div class="signs">
              {ICON_NAMES.map((each) => (
                <label key={each} class="sign-choice">
                  <input
                    class="visually-hidden"
                    type="radio"
                    name="icon"
                    aria-label={each}
                    checked={each === icon}
                    onChange={() => setIcon(each)}
                  />
                  <AgentSign icon={each} color={color} />
                </label>
              ))}
            </div>
            <div class="signs">
              {COLOR_NAMES.map((each) => (
                <label key={each} class="sign-choice">
                  <input
                    class="visually-hidden"
                    type="radio"
                    name="color"
                    aria-label={each.toLowerCase().replace('_', ' ')}
                    checked={each === color}
                    onChange={() => setColor(each)}
                  />
                  <AgentSign icon={icon} color={each} size={24} />
                </label>
              ))}
            </div>
          </fieldset>
        </>
      )}
    </FormDialog>
  );
}
