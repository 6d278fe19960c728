use everypath_heap::subject;

#[subject]
mod subject {
    struct Root {
        value: Int,
        next: Ref<Node>,
    }

    struct Node {
        next: Ref<Node>,
    }

    impl Root {
        #[call]
        fn count(self) {
            for at in 0..3 {
                self.value += at;
            }
        }
    }
}

fn main() {}
