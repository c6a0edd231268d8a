import { useState } from 'react';
import { linkSecrets } from './link-secrets';
import { CodeForm } from './parts/code-form';
import { Frame, ToSignIn } from './parts/frame';
import { useEnter } from './parts/use-enter';
import { texts } from './sign-in.texts';

/** The page that the mail with a code links to. */
export function ValidatePage() {
  const [{ code, token }] = useState(linkSecrets);
  const enter = useEnter();
  return (
    <Frame title={texts.codeTitle} text={texts.codeOfLink}>
      <CodeForm code={code} token={token} onDone={() => enter('/')} />
      <div className="dim" style={{ marginTop: 12 }}>
        <ToSignIn />
      </div>
    </Frame>
  );
}
