import { useEffect, useRef, useState } from 'preact/hooks';
import { Skeleton } from '../../base/components/States';
import { may } from '../../base/permissions';
import type { CodeEditor } from './codeEditor';

interface Props {
  label: string;
  language: 'json' | 'javascript';
  value: string;
  onValue: (value: string) => void;
  /** What completion offers behind `inputs.`. */
  inputs?: string[];
  tall?: boolean;
}

const LANGUAGES = { json: () => import('./jsonLanguage'), javascript: () => import('./scriptLanguage') };

/** A code editor, fetched when the first one is shown, with its language. */
export function Code({ label, language, value, onValue, inputs = [], tall = false }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor>();
  const latest = useRef({ onValue, inputs, value });
  latest.current = { onValue, inputs, value };
  /** A click before the editor is loaded: the editor gets the focus then, unless another field has it. */
  const clicked = useRef(false);
  const [ready, show] = useState(false);
  useEffect(() => {
    let gone = false;
    void Promise.all([import('./codeEditor'), LANGUAGES[language]()]).then(([{ openEditor }, { language: known }]) => {
      if (!gone) {
        editor.current = openEditor(host.current!, {
          label, language: known, value: latest.current.value, onValue: (text) => latest.current.onValue(text), inputs: () => latest.current.inputs, readOnly: !may('WRITE_FLOW'),
        });
        show(true);
        if (clicked.current && document.activeElement?.contains(host.current)) {
          editor.current.focus();
        }
      }
    });
    return () => {
      gone = true;
      editor.current?.close();
    };
  }, []);
  useEffect(() => editor.current?.show(value), [value, ready]);
  return (
    <div class={tall ? 'code-editor tall' : 'code-editor'} data-code={label} onPointerDown={() => { clicked.current = true; }}>
      <div ref={host} />
      {ready ? null : <Skeleton lines={2} />}
    </div>
  );
}
