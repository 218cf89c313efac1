package pdf
import ("testing";"os")
func TestDump(t *testing.T){
 for _,l:=range []string{"en","zh-Hant"}{ os.WriteFile("/tmp/hard_"+l+".pdf", render(t, linesPage(l, hardLines(t))),0o644)}
}
